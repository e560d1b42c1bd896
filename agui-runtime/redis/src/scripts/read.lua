-- Reads the records after ARGV[1] that have ARGV[2] bytes together, at least one, and returns the number of the first before
-- them. A snapshot is not in the stream, whose entries cannot be replaced.
local head = redis.call('HMGET', KEYS[1], 'seq', 'first', 'snapshot', 'epoch')
if not head[1] then return { 0 } end
local after, bytes, first = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(head[2])
if after ~= 0 and after < first then return { 1, head[2] } end

local found, taken = { string.format('%.0f', after + 1) }, 0
local next = after + 1
if head[3] and after < first then
  found = { head[2], head[3] }
  taken = #head[3]
  next = first + 1
end
-- Small records are many, and large ones are not read only to be dropped.
local count = 1
while true do
  local entries = redis.call('XRANGE', KEYS[2], string.format('%.0f', next), '+', 'COUNT', count)
  for _, entry in ipairs(entries) do
    local record = entry[2][2]
    taken = taken + #record
    if #found > 1 and taken > bytes then return { 2, head[4], head[1], found } end
    found[#found + 1] = record
  end
  next = next + #entries
  if #entries < count then return { 2, head[4], head[1], found } end
  count = math.min(count * 2, 512)
end
