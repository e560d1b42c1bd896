-- A write that leaves nothing after a minute: the server must take changes.
redis.call('SET', KEYS[1], '', 'PX', 60000)
return 1
