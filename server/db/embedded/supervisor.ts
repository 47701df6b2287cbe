/** Exit status of the supervisor when another PostgreSQL keeps the folder. */
export const BUSY = 75;

/**
 * A shell script that runs PostgreSQL (`"$@"`) for as long as its standard input is open, that is, until the program
 * ends, however that happens. `$DATA` is PostgreSQL's folder, `$SOCKETS` that of its socket, `$PATIENCE`
 * the seconds that another one may take to let go of `$DATA`.
 *
 * PostgreSQL and its children inherit a lock of `$DATA`. Waiting for that lock is how a start after a kill waits for
 * the last process of the killed one, from another container too; then no file in `$DATA` can name a living postmaster,
 * and the number in `postmaster.pid`, which by now may be anybody's, is removed. Says `locked` once it has the lock:
 * before that, another server may answer at the same address. Where there is no `flock` (macOS),
 * PostgreSQL decides by that number.
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
