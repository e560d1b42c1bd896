-- Appends records if the log ends at ARGV[1] (epoch) and ARGV[2] (number). Numbers are compared as text: an epoch may have
-- more digits than a number of Lua.
local thread, records, list, leased, idle, notices = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local at_epoch, at_seq, epoch, seq, note, lease = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[6], ARGV[7]
local owner, agent, id, name = ARGV[8], ARGV[9], ARGV[10], ARGV[11]

local head = redis.call('HMGET', thread, 'epoch', 'seq', 'lease_ends')
local found_epoch, found_seq = head[1] or '0', head[2] or '0'
if found_epoch ~= at_epoch or found_seq ~= at_seq then return { 0, found_epoch, found_seq } end
if not head[1] and seq == '0' then return { 1 } end

for at = 12, #ARGV do
  redis.call('XADD', records, string.format('%.0f-0', tonumber(at_seq) + at - 11), 'r', ARGV[at])
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local changed = string.format('%.0f', now)
if not head[1] then
  redis.call('HSET', thread, 'owner', owner, 'agent', agent, 'thread', id, 'first', '1', 'note', '')
end
if ARGV[5] == '1' then redis.call('HSET', thread, 'note', note) end
if lease == '' then
  redis.call('HSET', thread, 'epoch', epoch, 'seq', seq, 'changed', changed)
  redis.call('HDEL', thread, 'lease_ends')
  redis.call('ZREM', leased, name)
  redis.call('ZADD', idle, changed, name)
else
  local ends = string.format('%.0f', now + lease)
  redis.call('HSET', thread, 'epoch', epoch, 'seq', seq, 'changed', changed, 'lease_ends', ends)
  redis.call('ZADD', leased, ends, name)
  if not head[3] then redis.call('ZREM', idle, name) end
end
-- The last changed comes first, and of those of one time the first by bytes.
redis.call('ZADD', list, '-' .. changed, id)
redis.call('XADD', notices, 'MAXLEN', '~', '10000', '*', 't', name)
return { 1 }
