-- Deletes a thread; if ARGV[3] (epoch) and ARGV[4] (number) are given, only if its log ends there.
local head = redis.call('HMGET', KEYS[1], 'epoch', 'seq')
if not head[1] or (ARGV[3] and (head[1] ~= ARGV[3] or head[2] ~= ARGV[4])) then return 0 end
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('ZREM', KEYS[5], ARGV[2])
redis.call('XADD', KEYS[6], 'MAXLEN', '~', '10000', '*', 't', ARGV[2])
return 1
