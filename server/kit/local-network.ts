import { networkInterfaces } from 'node:os';

/** Addresses at which telephones of the same network find this program, and the first one as a QR code for a terminal. */
export async function linesOfNetwork(port: number, found = networkInterfaces()): Promise<string[]> {
  const addresses = Object.values(found).flatMap((each = []) => each.filter(({ internal, family }) => !internal && family === 'IPv4'));
  const [first, ...others] = addresses.map(({ address }) => `http://${address}:${port}`);
  if (!first) return ['Esta máquina no está en ninguna red: desde un teléfono no se puede abrir.'];
  const qr = await import('qrcode');
  return [
    `Desde un teléfono de la misma red: ${[first, ...others].join(' o ')}`,
    await qr.toString(first, { type: 'terminal', small: true }),
    'Sin https no hay avisos, firmas, fotos ni modo sin cobertura: para el día a día pon una dirección pública (docs/public-address.md).',
  ];
}
