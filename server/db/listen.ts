import pg from 'pg';

const RETRY_MS = 1000;
/** A listening connection never notices a silent server, so the client sends a query every `ASK_MS`. */
const ASK_MS = 15_000;
const SILENCE_MS = 5000;

/** Listens on a dedicated connection and reconnects when the connection is lost. Returns a stop function. */
export async function listenPostgres(
  url: string,
  channel: string,
  onMessage: (payload: string) => void,
  onGap: () => void,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: SILENCE_MS, query_timeout: SILENCE_MS, keepAlive: true });
    next.on('error', onError);
    next.on('notification', (message) => onMessage(message.payload ?? ''));
    client = next;
    await next.connect();
    await next.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    // Registered after connecting: a failed attempt also emits `end`, and the caller already retries.
    const ask = setInterval(() => next.query('SELECT 1').catch(() => next.end()), ASK_MS);
    next.on('end', () => {
      clearInterval(ask);
      if (!stopped) timer = setTimeout(reconnect, RETRY_MS);
    });
  };
  const reconnect = () =>
    connect().then(onGap, (error: Error) => {
      onError(error);
      if (!stopped) timer = setTimeout(reconnect, RETRY_MS);
    });

  await connect();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end();
  };
}
