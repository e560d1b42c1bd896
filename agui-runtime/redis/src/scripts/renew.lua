-- Extends the lease of the epoch ARGV[1] to ARGV[2] milliseconds from now.
local head = redis.call('HMGET', KEYS[1], 'epoch', 'lease_ends')
if head[1] ~= ARGV[1] or not head[2] then return 0 end
local time = redis.call('TIME')
local ends = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2])
redis.call('HSET', KEYS[1], 'lease_ends', ends)
redis.call('ZADD', KEYS[2], ends, ARGV[3])
return 1
