# Computes for $1 seconds without ever sleeping, and looks at the clock itself: on
# PREEMPT_RT a program at SCHED_FIFO 99 that owns the only processor keeps the
# kernel's timer thread (SCHED_FIFO 1) from running, so nobody could end it.
read -r now rest </proc/uptime
end=$((${now%.*} + $1))
while [ "${now%.*}" -lt $end ]; do read -r now rest </proc/uptime; done
