-- Replaces the records up to ARGV[2] by the snapshot ARGV[3], if the log has the epoch ARGV[1].
local head = redis.call('HMGET', KEYS[1], 'epoch', 'seq', 'first')
local upto = tonumber(ARGV[2])
if head[1] ~= ARGV[1] or upto <= tonumber(head[3]) or upto > tonumber(head[2]) then return 0 end
redis.call('HSET', KEYS[1], 'first', ARGV[2], 'snapshot', ARGV[3])
redis.call('XTRIM', KEYS[2], 'MINID', '=', string.format('%.0f', upto + 1))
return 1
