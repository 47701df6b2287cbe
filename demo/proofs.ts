import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { Tx } from '../server/db/open.ts';
import type { Files } from '../server/files/store.ts';

/* Proof of delivery in the demo: a few signed deliveries, one with a photo, and one that still lacks its photo. */

const DELIVERIES = [
  { forma_entrega: 'lugar_seguro', receptor_nombre: null, receptor_relacion: null, tipo: 'foto', sent: false },
  { forma_entrega: 'en_mano', receptor_nombre: null, receptor_relacion: null, tipo: 'firma', sent: true },
  { forma_entrega: 'lugar_seguro', receptor_nombre: null, receptor_relacion: null, tipo: 'foto', sent: true },
  { forma_entrega: 'otra_persona', receptor_nombre: 'Manuel Ortiz', receptor_relacion: 'portero', tipo: 'firma', sent: true },
  { forma_entrega: 'otra_persona', receptor_nombre: 'Carmen Vega', receptor_relacion: 'familiar', tipo: 'firma', sent: true },
] as const;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export async function addProofs(tx: Tx, files: Files): Promise<void> {
  const orders = await tx
    .selectFrom('pedidos')
    .select('id')
    .where('estado', '=', 'completado')
    .where('transportista_id', 'is not', null)
    .orderBy('fecha_completado', 'desc')
    .limit(DELIVERIES.length)
    .execute();
  for (const [i, { id: pedido_id }] of orders.entries()) {
    const { sent, tipo, ...delivery } = DELIVERIES[i] as (typeof DELIVERIES)[number];
    const picture = tipo === 'firma' ? signature(i) : PHOTO;
    const hash = sha256(sent ? picture : Buffer.from('una foto'));
    await tx
      .insertInto('entregas')
      .values({
        pedido_id,
        ...delivery,
        anunciadas: JSON.stringify([{ tipo, sha256: hash }]),
        entregada_at: new Date().toISOString(),
      })
      .execute();
    if (!sent) continue;
    const fichero = `${pedido_id}/${hash}.${tipo === 'firma' ? 'png' : 'jpg'}`;
    await files.put(fichero, picture);
    await tx.insertInto('pruebas').values({ pedido_id, tipo, sha256: hash, bytes: picture.length, fichero }).execute();
  }
}

const WIDTH = 600;
const HEIGHT = 300;

/** Returns a PNG of a curve that resembles a signature; `n` varies the curve. */
function signature(n: number): Buffer {
  // One byte per pixel; each row begins with the byte of its PNG filter.
  const points = Buffer.alloc((WIDTH + 1) * HEIGHT, 255);
  for (let y = 0; y < HEIGHT; y += 1) points[y * (WIDTH + 1)] = 0;
  for (let t = 0; t < 1; t += 0.0004) {
    const x = 60 + t * 460 + 40 * Math.sin(t * (30 + n * 4));
    const y = 150 + 70 * Math.sin(t * (22 + n * 7)) * (1 - t * 0.7);
    for (let dy = 0; dy < 4; dy += 1) points.fill(20, at(x, y + dy), at(x, y + dy) + 4);
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([mark, chunk('IHDR', header), chunk('IDAT', deflateSync(points)), chunk('IEND', Buffer.alloc(0))]);
}

const at = (x: number, y: number) => Math.round(y) * (WIDTH + 1) + 1 + Math.round(x);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** JPEG of a drawn parcel at a door, in the code so that a release includes the picture. */
const PHOTO = Buffer.from(
  `
/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFla
AAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJY
WVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAA
E9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQy
SUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8
fHz/wAARCAGQASwDASIAAhEBAxEB/8QAGgAAAgMBAQAAAAAAAAAAAAAAAAECAwYFBP/EAD4QAQABAgIECggFBAIDAQAAAAABAgMEMhFxgZEGEhMxMzVRUnOxBRQVITRUk9EiQVNhwWJy
kqEj8EKU0+H/xAAYAQEBAQEBAAAAAAAAAAAAAAAAAQIDBP/EACARAQEBAQADAAIDAQAAAAAAAAABEQISITETYRRBUTL/2gAMAwEAAhEDEQA/AO4AHNswABgADAAGAAMACGZGAMjAGRgA
ABEZACMgIACkRkAIyAgAgRGQAjICAAJgBQwABgADAAGAznCLFX7OOt02b9y3TNqJ0U1zEadMg0gYX1/GfN3/AKk/cev4z5u/9SfuDdmwftDGfN3/AKk/ce0MZ83f+pV9wbw2C9oYz5u/
9Sr7j2hjPm7/ANWr7g3psD7QxvzeI+rV9z9oY35vEfVq+4N6GC9oY35vEfVq+49oY35vEfVq+4N4TB+0Mb83iPq1fce0MZ83f+pV9wbwmE9oYz5u/wDUq+49oYz5u/8AUn7g3QYX1/Gf
N3/qT9x6/jPm7/1J+4NyTD+v4z5u/wDUn7j1/GfN3/qSDcExuFxuLqxdmKsTemJrpiYm5Pv97ZAQAQIjIARkBAAEwAoYAAwABgADZbhP1hb8KPOWpZbhP1hb8KPOQc21EcTmWaI7IQtZ
FjNbg0R2QfFjsgQcAOLHZB8WOyNwNFHFjsjcfFp7I3AwEU092Nx8WnuxuOACPFp7I3FxaeyNyRAXFp7I3FxY7I3JECPFjsjcXFjshIgLix2QUxGjmhJGeZUU4P4yx4lPm3LDYP4yx4lP
m3LTBABAiMgBGQEAATAChgADAAGAANluE/WFvwo85alluE/WFvwo85BzrWROfdEoWsic5Z1MtoRNc82mdh6bvZO5ZYybVppjzabvZO4+Nd7J3PQDVx5+Ne7J3Cbl2OfTGx6FeI6PaJiy
idNFMzzzCSNvJTqhJFeaq5c49UUzM6J/KC417sq/xTt9PXtXKjzca92Vf4jjXuyr/F6TNXHl03eyr/EtN3sq3PWVWWdRpii3VNUTpk55kbOWdaU8winB/GWPEp825YbB/GWPEp825aYI
BG5cotU8a5XTRT21TogDIrd23dp41qumunm00zphG5etWqqablyiiqrmiqqImQTIyQIAAmAFDAAGAAMAAbLcJ+sLfhR5y1LLcJ+sLfhR5yDnWsic5Z1IWsic5Z1MtpWMm1aqsZNq1KsA
AAK8R0e1YrxHR7SFWW8lOqEkbeSnVCQKLfT17Vym309e1cUgMjFBVZZ1GVWWdQPPZyzrSnmRs5Z1pTzKypwfxljxKfNuWGwfxljxKfNuWmCVYizbv2+LdoiuI98RPatU4mx6xb4nK3LX
v06bdWiQc70DVFHoyuuqdFNNdUzuhzsVeoxF2ziq7tPHqux+DTkojm0u1hfRlrCTPEu3qqJiYm3XVE0zp/bQL/ovCXuJ/wAVNvizp/BTEaf2n3LvtHrpqprpiqmYmmY0xMfmBTTFNMU0
xEUxGiIjmgMqQABMAKGAAMAAYAA2W4T9YW/CjzlqWW4T9YW/CjzkHOtZE5yzqQtZE5yzqZbSsZNq1VYybVqVYAAAV4jo9qxXiOj2kKst5KdUJI28lOqEgUW+nr2rlNvp69q4pAZGKCqy
zqMqss6geezlnWlPMjZyzrSnmVlTg/jLHiU+bcsNg/jLHiU+bctMEAECIyAEZAQABMAKGAAMAAYAA2W4T9YW/CjzlqWW4T9YW/CjzkHOtZE5yzqQtZE5yzqZbSsZNq1VYybVqVYAAAV4
jo9qxXiOj2kKst5KdUJI28lOqEgUW+nr2rlNvp69q4pAZGKCqyzqMqss6geezlnWlPMjZyzrSnmVlTg/jLHiU+bcsNg/jLHiU+bctMEAECIyAEZAQABMAKGAAMAAYAA2W4T9YW/Cjzlq
WW4T9YW/CjzkHOtZE5yzqQtZE5yzqZbSsZNq1VYybVqVYAAAV4jo9qxXiOj2kKst5KdUJI28lOqEgUW+nr2rlNvp69q4pAZGKCqyzqMqss6geezlnWlPMjZyzrSnmVlTg/jLHiU+bcsN
g/jLHiU+bctMEAECIyAEZAQABMAKGAAMAAYAA2W4T9YW/CjzlqWW4T9YW/CjzkHOtZE5yzqQtZE5yzqZbSsZNq15ablVEaIS5avsjcYa9Aeflq+yNw5avsjcYuvQrxHR7VfLV9kbiruV
VxomDE16beSnVCSNvJTqhJFUW+nr2rnmmqqi7VMQOXr7I3Lia9JvLy9fZG4+Xr7I3GLr0lVlnU8/L19kbim/XMaNEbkw07OWdaU8yNnLOtKeZUU4P4yx4lPm3LDYP4yx4lPm3LTBABAi
MgBGQEAATAChgADAAGAANluE/WFvwo85alluE/WFvwo85BzrWRYrtZFjNbhwcFBwBmRopmRglAEBFIjJQEZCERkARnmSRnmVFOD+MseJT5tyw2D+MseJT5ty0wQAQIjIARkBAAEwAoYA
AwABgADZbhP1hb8KPOWpZbhP1hb8KPOQc61kWK7WROcs6mW4lBwpporqjTHmlydz/sgtNTydz/sjk7v77wXm8/J3f33lVTcpjTMzo1mLr1wEbeSnVCSKRPPPHqu1RTM8/aOTu9s71xNe
glHJ3f33jkrv77zBcSrkrv8A2RNq7Ef/AKItRnmRtTppnSlPMCnB/GWPEp825YbB/GWPEp825aYIAIERkAIyAgACYAUMAAYAAwABstwn6wt+FHnLUstwn6wt+FHnIOdayJzlnUhayJzl
nUy2lYybVqqxk2rUqwAAArxHR7VivEdHtIVZbyU6oSRt5KdUJAot9PXtXKbfT17VxSAyMUFVlnUaVuaYuUzXliY06kFVnCYibXH5KrRPvQq92lo4mJjTHvhwsdNNWKuTRzafyZ47vVSz
HiwfxljxKfNuWGwfxljxKfNuXZzIAIERkAIyAgACYAUMAAYAAwABstwn6wt+FHnLUstwn6wt+FHnIOdayJzlnUhayJzlnUy2lYybVqqxk2rUqwAAArxHR7VivEdHtIVZbyU6oSRt5KdU
JAot9PXtXKbfT17VxSAyMUFVlnUZVZZ1Aqs3bkW5oi5VFPZp9xTzI2cs60p5lZU4P4yx4lPm3LDYP4yx4lPm3LTBABAiMgBGQEAATAChgADAAGAANluE/WFvwo85alluE/WFvwo85Bzr
WROcs6kLWROcs6mW0rGTatVWMm1alWAAAFeI6PasV4jo9pCrLeSnVCSNvJTqhIFFvp69q5Tb6evauKQGRigqss6jKrLOoHns5Z1pTzI2cs60p5lZU4P4yx4lPm3LDYP4yx4lPm3LTBAB
AiMgBGQEAATAChgADAAGAANluE/WFvwo85alluE/WFvwo85BzrWROcs6kLWROcs6mW0rGTatVWMm1alWAAAFeI6PasV4jo9pCrLeSnVCSNvJTqhIFFvp69q5Tb6evauKQGRigqss6jKr
LOoHns5Z1pTzI2cs60p5lZU4P4yx4lPm3LDYP4yx4lPm3LTBABAiMgBGQEAATAChgADAAGAANluE/WFvwo85alluE/WFvwo85BzrWROcs6kLWROcs6mW0rGTatVWMm1alWAAAFeI6Pas
V4jo9pCrLeSnVCSNvJTqhIFFvp69q5Tb6evauKQGRigqss6jKrLOoHns5Z1pTzI2cs60p5lZU4P4yx4lPm3LDYP4yx4lPm3LTBABAiMgBGQEAATAChgADAAGAANluE/WFvwo85alluE/
WFvwo85BzrWROcs6kLWROcs6mW0rGTatVWMm1alWAA4jTOiOcCV4jo9rrYX0fGjj345+an7vRVgMNVGibUTGuWfKRccW3kp1Qk7MYLDxGiLUb5P1PD/pxvlPKLjPW+nr2rnaowGFivTy
MaZn3++Xu9nYT9ClqXWb6Zc2nn0dhNE/8FLxepYf9ON8pbiz24pVZZ1O36nh/wBON8l6lh/0o3ynlFxnbOWdaU8zvx6Pwsc1mN8j1DDfpRvlfOJ4s1g/jLHiU+bcuVR6OwlFdNVNmIqp
nTE6Z53s5SvvL+SM+FegPLXfm3TNVVWiDwd+q/RXVV+VWiFnUqXmx6CMmmQRkBAAEwAoYAAwABgADZbhP1hb8KPOWpZbhP1hb8KPOQc61kTnLOpC1kTnLOpltKxk2rVVjJtWpViVFFVy
qKaImap/J1sJgqbEcavRVc7ex5fR3uprmPdOmHt0z3p3ufV/pqR6A83Gq707xxqu9O9hp6Q83Gq707y41XeneD105o1ve41FVXHp/FPP2uvpdOHPs55peB7ap/DOpxuPV3p3p2vD2B4+
PV3qt449Xeq3sNvYHi49Xeq3jj196reD2oXblNqnjVTqjteTj19+reqvVTVVE1Tp9yhXbtV2rTVzflHY6Hovoa/7v4cx0/RfQ1/3fw3x9Y7+PaRk6uQIyAgACYAUMAAYAAwABstwn6wt
+FHnLUstwn6wt+FHnIOdayJzlnUhayJ6NMaGWzs1RFHvmI9/as49Pejeo5L9/wDR8l/V/oHW9GzE0V6JiffHM9jweiaOJRc9+n3w97j19dJ8BGTKgjIDoz064ddyKM9OuHXdOGOxVlnU
4rtVZZ1OKnZwQAYbIAASu7mjUsV3c0algg6fovoa/wC7+HMdP0X0Nf8Ad/DfH1jv49pGTq5AjICAAJgBQwABgADAAGy3CfrC34UectSy3CfrC34Uecg51rIsV2sixmtw4OCg4B0fRmS5
rh7Xi9GZLmuHb9EUxViqoqiJjiTzx+8OWb1je5NeEnSp9LWarNu56rH49Hu0x7tNMz2fslPpOzE3I9Vj8FPG549/4Yns/d0/D+2Py/pyydX2nZ0249Vj8czHPHu9+jsW4XG2sTem3GHi
nROjT7uyfsfh/Z+X9ONRnp1w67nYmIjHXIiNEcp/Losc+tXoVZZ1OK7VWWdTip2vBABhsgABK7uaNSxXdzRqWCDp+i+hr/u/hzHT9F9DX/d/DfH1jv49pGTq5AjICAAKPXrXdr3Qfr1r
u17oc8NYjoev2u7Xugev2u7XuhzwYOj6/a7te6PuPaFru17o+7nAHR9oWu7Xuj7n7Qtd2vdH3c0A6XtC13a90fdneEN6m/jqKqImIi1Ee/XLoDRHYDhWsix2OLHZCF6Ii3OiIZs/tvn3
ZHLg4eoOfk9P4f2v9GZLmuHc9D/FVf2T5w4+Cy163Y9D/FVf2T5wnPvtz7njLHPtWrnqdiOTq0xxPy/oqTrtXOPf/BV77c/l/RS9c4n0ppnRF/8A9Wn/AOg9Z9Kdl/8A9Sn/AOj1PK8n
JXONY/BV7q5/L+qHq9FW66cbVNVNURx/zj9qnqw9PpK/bmqrE8jOnRxbmGiJ1+6uXRtxVTbpi5VFVcR76ojRpnUDPYr4+54n8ug5+K+PueJ/LoPNPtd+vkFWWdTiu1VlnU4rPa8EAGGy
AAEquZti1VczLBF7cDiaLNuqmqKpmZ0+54llrmlvj6x38dP1613a90F69b7te6HgDvji9/rtvu17oL1233a90PCDB7vXbfdr3QPXLfdr3Q8IMDBgCBgCBgCBgCBgCQu0zVRMRzrAX2su
XXk5C53f9jkLnd/29YY8I7fyOkcJRVRTVxo0aZeq3drs1ca3VNMzGjTCqjmlJx69X01vl7q/17E/rVD17E/rVKCTyv8AqZF/r2J/WqHr2J/WqUEeV/0yJRVNd2Kqp01TVpmXWcijPTrh
12+GexVlnU4rtVZZ1OKnZwQAYbIAASq5mWqrmZYIrbWWdapbZyzrb4+sd/EwYd3EgYAgYAwYAgYAgYAgYAgYAgYAgjXdoo90z7+yFU4nsp3yD00c0pKcPcm5FWmIjQuefv8A6d+fgIyY
aBGQHRnp1w67kUZ6dcOu6cMdirLOpxXaqyzqcVOzggAw2QAAlVzMtU3JiK/esml9HRRNc/s9ERERohC3XRVGimdix6OeccOutIGGmSBgCBgDBgCBgCBgCBgCBgCBgFFeHpqmZidEyqnD
VxzaJewA8PJ3aOaKo1FM3I55r/294MNc/j196reOPV3p3uhoLiU92NxhrwcervTvHHq7073u5Oju07i5KjuRuMNeLj1d6d6fL3v1bn+UvVyVvuwORt92DB5eXvfq3P8AKUONV3p3vbyV
vuwOSo7kbjB4uNV3p3jjVd6d73cnR3adx8SmP/GNxhrwcarvTvOOPPNxpe/QDDXiii7P5VJRh65zTEbXrAKLeHpomJmdMwuMAQMAQMAQMAYMAQMAQMAQMAQMAQMAQMAQMAQMAQMAQMAQ
MAQMAQMAQMAQMAQMAQMAQMA//9k=`,
  'base64',
);
