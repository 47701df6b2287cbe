/** Exit status if another PostgreSQL holds the folder. */
export const BUSY = 75;

/**
 * Shell script that runs PostgreSQL (`"$@"`) on `$DATA` until its standard input closes, which happens however the program ends. PostgreSQL
 * and its children inherit a lock on `$DATA`; a start after a kill waits for the lock up to `$PATIENCE` seconds. Then `postmaster.pid` is
 * stale and removed, because its pid may have been reused. Prints `locked` once locked: until then, another server may have answered at
 * the address. macOS has no `flock`, and so no lock.
 */
export const SUPERVISOR = `
trap '' HUP INT TERM
exec 3<&0 9<"$DATA"
if command -v flock >/dev/null; then
  flock -n 9
  if [ $? = 1 ]; then
    # Ends an orphaned PostgreSQL, whose program and supervisor were killed.
    read -r pid <"$DATA/postmaster.pid" && [ "/proc/$pid/cwd" -ef "$DATA" ] && kill -INT "$pid"
    flock -w "$PATIENCE" 9 || exit ${BUSY}
  fi
  rm -f "$DATA/postmaster.pid" "$SOCKETS"/.s.PGSQL.*
fi
echo locked
"$@" 3<&- >/dev/null &
pid=$!
# Repeats the signal, which a starting PostgreSQL can miss.
{ read -r _ <&3; while kill -INT "$pid" 2>/dev/null; do sleep 1; done; } 9<&- &
reader=$!
wait "$pid"
status=$?
kill -KILL "$reader" 2>/dev/null
exit "$status"
`;
