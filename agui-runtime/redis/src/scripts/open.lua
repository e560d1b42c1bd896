-- Returns the version of the keys, which is ARGV[1] if there were none.
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
