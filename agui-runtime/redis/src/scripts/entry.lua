-- Returns a thread as a list of threads has it.
local thread = redis.call('HMGET', KEYS[1], 'thread', 'changed', 'note')
if not thread[1] then return {} end
return thread
