/** First descriptor passed by systemd (sd_listen_fds). */
const FIRST_FD = 3;

/** Returns systemd's listening socket (`deploy/enruta.socket`), in which connections wait during a restart; undefined without one. */
export function socketOfSystemd(env: NodeJS.ProcessEnv, pid = process.pid): { fd: number } | undefined {
  const { LISTEN_FDS, LISTEN_PID } = env;
  for (const name of ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES']) delete env[name];
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== pid) return undefined;
  if (LISTEN_FDS !== '1') throw new Error(`systemd pasa ${LISTEN_FDS} sockets: enruta.socket debe tener un solo ListenStream.`);
  return { fd: FIRST_FD };
}
