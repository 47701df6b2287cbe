/** Exit status if another PostgreSQL keeps the folder. */
export const BUSY = 75;

/**
 * Shell script that runs PostgreSQL (`"$@"`) while its standard input is open, that is, until the program ends in any way. `$DATA`:
 * PostgreSQL's folder; `$SOCKETS`: folder of the socket; `$PATIENCE`: seconds to wait for `$DATA`.
 *
 * PostgreSQL and its children inherit a lock on `$DATA`. A start after a kill waits for that lock, even across containers; `postmaster.pid`
 * is then stale and is removed, because its pid may have been reused. Prints `locked` once it has the lock: before that, another server may
 * answer at the same address. Without `flock` (macOS), PostgreSQL checks the pid itself.
 */
export const SUPERVISOR = `
trap '' HUP INT TERM
exec 3<&0 9<"$DATA"
if command -v flock >/dev/null; then
  flock -n 9
  if [ $? = 1 ]; then
    # An orphan: both the program that started it and its supervisor were killed.
    read -r pid <"$DATA/postmaster.pid" && [ "/proc/$pid/cwd" -ef "$DATA" ] && kill -INT "$pid"
    flock -w "$PATIENCE" 9 || exit ${BUSY}
  fi
  rm -f "$DATA/postmaster.pid" "$SOCKETS"/.s.PGSQL.*
fi
echo locked
"$@" 3<&- >/dev/null &
pid=$!
# Again and again: a PostgreSQL that has just been started does not hear it yet.
{ read -r _ <&3; while kill -INT "$pid" 2>/dev/null; do sleep 1; done; } 9<&- &
reader=$!
wait "$pid"
status=$?
kill -KILL "$reader" 2>/dev/null
exit "$status"
`;
