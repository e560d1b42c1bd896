-- Lists at most ARGV[2] threads after the one with the score ARGV[3] and the id ARGV[4], if there is ARGV[3]. ARGV[1] is the
-- beginning of the threads' keys.

-- Lua compares texts by the rules of a language, not by bytes.
local function is_after(one, other)
  for at = 1, math.min(#one, #other) do
    local left, right = one:byte(at), other:byte(at)
    if left ~= right then return left > right end
  end
  return #one > #other
end

local most, score = tonumber(ARGV[2]), ARGV[3]
local from = 0
if score ~= '' then from = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. score) end
local listed = {}
while #listed < most * 3 do
  local entries = redis.call('ZRANGE', KEYS[1], from, from + 99, 'WITHSCORES')
  if #entries == 0 then break end
  for at = 1, #entries, 2 do
    local id = entries[at]
    local is_later = score == '' or tonumber(entries[at + 1]) > tonumber(score) or is_after(id, ARGV[4])
    if is_later and #listed < most * 3 then
      local thread = redis.call('HMGET', ARGV[1] .. id, 'changed', 'note')
      listed[#listed + 1] = id
      listed[#listed + 1] = thread[1]
      listed[#listed + 1] = thread[2]
    end
  end
  from = from + 100
end
return listed
