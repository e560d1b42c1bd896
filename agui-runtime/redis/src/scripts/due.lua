-- Returns the keys of at most ARGV[3] threads whose time is ARGV[2] milliseconds ago, or longer, the longest first. ARGV[1] is
-- the beginning of the threads' keys.
local time = redis.call('TIME')
local until_ = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[2])
local due = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', until_, 'LIMIT', 0, ARGV[3])) do
  for _, part in ipairs(redis.call('HMGET', ARGV[1] .. name, 'owner', 'agent', 'thread')) do
    due[#due + 1] = part
  end
end
return due
