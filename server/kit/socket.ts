/** First file descriptor that systemd passes (sd_listen_fds). */
const FIRST_FD = 3;

/**
 * The listening socket that systemd holds for this process (`deploy/enruta.socket`), so that connections wait in it while the
 * program restarts; undefined without one. Forgets the variables, which are not for the processes that the program starts.
 */
export function socketOfSystemd(env: NodeJS.ProcessEnv, pid = process.pid): { fd: number } | undefined {
  const { LISTEN_FDS, LISTEN_PID } = env;
  for (const name of ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES']) delete env[name];
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== pid) return undefined;
  if (LISTEN_FDS !== '1') throw new Error(`systemd pasa ${LISTEN_FDS} sockets: enruta.socket debe tener un solo ListenStream.`);
  return { fd: FIRST_FD };
}
