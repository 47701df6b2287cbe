import { BlockList, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { FastifyInstance } from 'fastify';
import type { Answer } from '../../contract/kit/endpoint.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import type { comprobarDireccion, Red } from '../../contract/settings/settings.ts';
import { isLoopback } from '../../contract/text/loopback.ts';
import { audit } from '../audit/audit.ts';
import { type Db, transact } from '../db/open.ts';
import { type Config, sharedUrl } from '../kit/config.ts';
import { conflict, invalid } from '../kit/errors.ts';
import type { Feature } from '../kit/feature.ts';
import { ARRIVED, arrivalKey } from '../kit/forwarded.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** True if other devices reach the program: by its public address, or in the local network. */
    isReachable: () => boolean;
    /** Address with which other devices open the program: the public one, or the first in the local network; undefined while there is none. */
    sharedAddress: () => string | undefined;
  }
}

// Only networks that the Internet does not reach: shops, offices, overlays; 192.0.2.0/24 is for examples and test machines.
const LOCAL = new BlockList();
for (const [net, bits] of [
  ['192.168.0.0', 16],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['100.64.0.0', 10],
  ['192.0.2.0', 24],
] as const)
  LOCAL.addSubnet(net, bits);
const LIKELY = ['192.168.', '10.'];

/** IPv4 addresses of this machine in local networks, the likeliest of a shop first. */
export const localAddresses = (found = networkInterfaces()): string[] =>
  Object.values(found)
    .flatMap((each = []) => each)
    .filter(({ internal, family, address }) => !internal && family === 'IPv4' && LOCAL.check(address))
    .map(({ address }) => address)
    .sort((a, b) => rank(a) - rank(b));
const rank = (address: string) => (LIKELY.findIndex((start) => address.startsWith(start)) + 1 || LIKELY.length + 1) - 1;

const LINGER_MS = 1000;

/** Further listeners that hand their connections to the HTTP server, which answers them with the same checks as its own. */
export function extraListeners(http: Server) {
  let open: Server[] = [];
  const sockets = new Set<Socket>();
  async function close() {
    for (const listener of open) listener.close();
    open = [];
    // Leaves time for the answer to a telephone that closes the network from there.
    setTimeout(() => open.length === 0 && sockets.forEach((socket) => void socket.destroy()), LINGER_MS).unref();
  }
  return {
    isOpen: () => open.length > 0,
    close,
    /** Listens on each address; throws the system's error of the first that cannot be used. */
    async open(port: number, addresses: readonly string[]) {
      for (const host of addresses) {
        const listener = createServer((socket) => {
          sockets.add(socket);
          socket.on('close', () => sockets.delete(socket));
          http.emit('connection', socket);
        });
        try {
          await new Promise<void>((done, fail) => listener.once('error', fail).listen({ port, host }, done));
        } catch (error) {
          await close();
          throw error;
        }
        open.push(listener);
      }
    },
  };
}

type Parts = {
  db: Db;
  features: readonly Feature[];
  config: Pick<Config, 'host' | 'port' | 'publicUrl' | 'trustProxy' | 'secretKey' | 'demo'>;
};

/** Opens and closes the program to the local network. A program that was told to opens again when it starts. */
export function installNetwork(
  app: FastifyInstance,
  { db, features, config: { host, port, trustProxy, secretKey, demo, ...config } }: Parts,
) {
  const listeners = extraListeners(app.server);
  const isHere = isLoopback(host);
  const publicUrl = sharedUrl(config);
  // With a public address the cookies are its own; behind a proxy the sender of a forwarded address could not be told from the proxy.
  const puede = isHere && !publicUrl && !trustProxy;
  const isOpen = () => !isHere || listeners.isOpen();
  const addresses = () => localAddresses().map((address) => `http://${address}:${portOf(app) ?? port}`);
  const sharedAddress = () => publicUrl ?? (isOpen() ? addresses()[0] : undefined);
  app.decorate('isReachable', () => demo || !!publicUrl || isOpen());
  app.decorate('sharedAddress', sharedAddress);
  const readAlways = async () => (await db.selectFrom('settings').select('red_siempre').executeTakeFirst())?.red_siempre ?? false;
  const open = () => listeners.open(portOf(app) ?? port, localAddresses());
  app.addHook('onListen', async () => {
    if (puede && (await readAlways())) await open().catch((error: unknown) => app.log.warn(error, 'red'));
  });
  app.addHook('preClose', () => listeners.close());
  const read = async (): Promise<Red> => ({
    publica: publicUrl ?? null,
    abierta: isOpen(),
    siempre: await readAlways(),
    puede,
    direcciones: addresses(),
  });
  return {
    read,
    /** Throws 409 where the network is not for this screen to open, or if this machine is in no network. */
    async set(actor: Actor, { abierta, siempre }: { abierta: boolean; siempre: boolean }): Promise<Red> {
      if (!puede) throw conflict('Quien instaló el programa ya ha dicho desde dónde se abre');
      if (abierta && localAddresses().length === 0)
        throw conflict('Este ordenador no está en ninguna red: conéctalo a la wifi y prueba otra vez');
      const wasOpen = listeners.isOpen();
      if (abierta && !wasOpen)
        await open().catch((error: NodeJS.ErrnoException) => {
          throw conflict(`No se ha podido abrir (${error.code ?? error.message}): otro programa usa ese puerto en la red`);
        });
      const noted = transact(db, async (tx) => {
        await tx
          .updateTable('settings')
          .set({ red_siempre: abierta && siempre })
          .execute();
        const description = abierta
          ? `Abierto a los aparatos de la misma red${siempre ? ', también al arrancar' : ''}`
          : 'Cerrado a los aparatos de la red';
        await audit(tx, actor, { action: 'update', entity_type: 'settings', description });
        if (abierta === wasOpen) return;
        const change = { actor, changed: [], isShorter: false, opened: abierta };
        for (const { settingsChanged } of features) await settingsChanged?.(tx, change);
      });
      // Nothing is open that the log does not tell.
      const stays = await noted.then(
        () => abierta,
        () => wasOpen,
      );
      if (!stays) await listeners.close();
      await noted;
      return read();
    },
    check: (direccion: string) => checkAddress(direccion, secretKey),
  };
}

function portOf(app: FastifyInstance): number | undefined {
  const address = app.server.address();
  return typeof address === 'object' ? address?.port : undefined;
}

const ANSWER_MS = 10_000;
type Checked = Answer<typeof comprobarDireccion>['data'];

/** Asks an https address whether it leads to this program, and says what is missing first. Throws 422 for what is no such address. */
async function checkAddress(typed: string, secretKey: string): Promise<Checked> {
  const url = URL.parse(/^\w+:\/\//.test(typed) ? typed : `https://${typed}`);
  if (url?.protocol !== 'https:' || !url.hostname.includes('.') || url.username)
    throw invalid('direccion', 'Escribe la dirección, como https://pedidos.tienda.es');
  const direccion = url.origin;
  try {
    const answer = await fetch(`${direccion}/api/version`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      redirect: 'manual',
      headers: { [ARRIVED]: arrivalKey(secretKey) },
    });
    // Only a program with the same key answers this header.
    return { direccion, fallo: answer.headers.has(ARRIVED) ? null : answer.status >= 500 ? 'sin_respuesta' : 'otro_programa' };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    const code = cause?.code ?? name;
    if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return { direccion, fallo: 'nombre' };
    return { direccion, fallo: /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code) ? 'certificado' : 'puerto' };
  }
}
