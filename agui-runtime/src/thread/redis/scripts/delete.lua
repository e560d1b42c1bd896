-- Deletes a thread.
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[2])
redis.call('ZREM', KEYS[5], ARGV[2])
redis.call('XADD', KEYS[6], 'MAXLEN', '~', '10000', '*', 't', ARGV[2])
return 1
