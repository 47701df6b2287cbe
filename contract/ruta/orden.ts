/* Sorts a day's visits in the browser, so that a route needs no coverage (decision 075). */

/** Latitude and longitude, in degrees. */
export type Punto = { lat: number; lng: number };
/** A visit; `punto` is the centre of its town, null if the town is not known. */
export type Parada = { id: string; punto: Punto | null; codigo_postal: string | null; direccion: string };
/** Ids of the visits pinned as first and last. */
export type Fijas = { primera: string | null; ultima: string | null };

const RADIANS = Math.PI / 180;
const KM_PER_DEGREE = 111.195;

/** Kilometres in a straight line; precise enough for the towns of a day. */
export function routeKilometres(from: Punto, to: Punto): number {
  const across = (to.lng - from.lng) * Math.cos(((from.lat + to.lat) / 2) * RADIANS);
  return Math.hypot(to.lat - from.lat, across) * KM_PER_DEGREE;
}

const byText = new Intl.Collator('es', { numeric: true, sensitivity: 'base' }).compare;
/** Sorts by postcode, then street and number: «Mayor 9» comes before «Mayor 10». */
const byStreet = (first: Parada, second: Parada): number =>
  byText(first.codigo_postal ?? '', second.codigo_postal ?? '') || byText(first.direccion, second.direccion) || byText(first.id, second.id);

/** Returns the ids of all visits along a short path between towns; in a town by postcode and street, unknown towns last. */
export function proponerRuta(paradas: readonly Parada[], fijas: Fijas): string[] {
  const first = paradas.filter(({ id }) => id === fijas.primera).slice(0, 1);
  const last = paradas.filter(({ id }) => id === fijas.ultima && id !== fijas.primera).slice(0, 1);
  const free = paradas.filter((parada) => ![...first, ...last].includes(parada)).toSorted(byStreet);
  const towns = [...Map.groupBy(free, ({ punto }) => punto && `${punto.lat},${punto.lng}`).values()];
  const known = towns.filter(([first]) => first?.punto);
  const unknown = towns.filter(([first]) => !first?.punto).flat();
  // A pinned visit without coordinates cannot shape the path.
  const located = (pinned: Parada[]) => (pinned[0]?.punto ? [pinned] : []);
  const [before, after] = [located(first), located(last)];
  const groups = [...before, ...known, ...after];
  const points = groups.map(([first]) => first?.punto as Punto);
  const ordered = caminoCorto(points, { primera: before.length > 0, ultima: after.length > 0 }).flatMap((at) => groups[at] ?? []);
  const middle = ordered.filter((parada) => !first.includes(parada) && !last.includes(parada));
  return [...first, ...middle, ...unknown, ...last].map(({ id }) => id);
}

/** Starting points tried: every town up to `few` towns, else about `many` of them. The shortest path wins. */
const STARTS = { few: 12, many: 3 };
/** Minimum gain in kilometres; smaller differences are rounding errors. */
const SHORTER = 1e-9;
/** Maximum number of consecutive visits that move together. */
const MAX_RUN = 3;

type Pinned = { primera: boolean; ultima: boolean };
/** Kilometres between two points, by index. Index `size` is a virtual point at both ends of the path, at distance 0 from all. */
type Table = { size: number; km: (from: number, to: number) => number };

/** Returns the indices of the points along a short open path; pinned ends stay. Nearest neighbour, then 2-opt and or-opt. */
export function caminoCorto(points: readonly Punto[], pinned: Pinned): number[] {
  const size = points.length;
  if (size < 2) return points.map((_, at) => at);
  const table = tableOf(points);
  const length = (way: readonly number[]) => way.reduce((sum, at, i) => sum + table.km(way[i - 1] ?? size, at), 0);
  const step = size <= STARTS.few ? 1 : Math.floor(size / STARTS.many);
  const free = points.map((_, at) => at).slice(pinned.primera ? 1 : 0, pinned.ultima ? -1 : undefined);
  // After a pinned start, the second stop varies instead.
  const starts = free.filter((_, i) => i % step === 0).map((at) => (pinned.primera ? [0, at] : [at]));
  let best: number[] = [];
  for (const start of starts.length > 0 ? starts : [[0]]) {
    const way = shorten(nearest(start, pinned.ultima, table), pinned, table);
    if (best.length === 0 || length(way) < length(best) - SHORTER) best = way;
  }
  return best;
}

function tableOf(points: readonly Punto[]): Table {
  const size = points.length;
  const cells = new Float64Array((size + 1) ** 2);
  for (const [i, from] of points.entries()) for (const [j, to] of points.entries()) cells[i * (size + 1) + j] = routeKilometres(from, to);
  return { size, km: (from, to) => cells[from * (size + 1) + to] as number };
}

function nearest(start: readonly number[], keepsLast: boolean, { size, km }: Table): number[] {
  const end = size - 1;
  const left = new Set(Array.from({ length: size }, (_, at) => at));
  for (const at of keepsLast ? [...start, end] : start) left.delete(at);
  const way = [...start];
  for (let from = way.at(-1) as number; left.size > 0; ) {
    let next = -1;
    for (const at of left) if (next < 0 || km(from, at) < km(from, next)) next = at;
    left.delete(next);
    way.push(next);
    from = next;
  }
  return keepsLast ? [...way, end] : way;
}

/** Reverses runs and moves short runs until the path gets no shorter. */
function shorten(path: readonly number[], pinned: Pinned, table: Table): number[] {
  const nowhere = table.size;
  const way = [nowhere, ...path, nowhere];
  const low = pinned.primera ? 2 : 1;
  const high = way.length - (pinned.ultima ? 2 : 1);
  for (let better = true; better; ) {
    better = false;
    for (let i = low; i < high - 1; i += 1) if (turnRun(way, i, high, table)) better = true;
    for (let run = 1; run <= MAX_RUN; run += 1)
      for (let i = low; i + run <= high; i += 1) if (moveRun(way, i, run, { low, high }, table)) better = true;
  }
  return way.slice(1, -1);
}

/** Reverses a run that begins at `from` if that shortens the path; returns true if so. */
function turnRun(way: number[], from: number, high: number, { km }: Table): boolean {
  for (let to = from + 1; to < high; to += 1) {
    const [before, first, last, after] = [way[from - 1], way[from], way[to], way[to + 1]] as [number, number, number, number];
    if (km(before, last) + km(first, after) >= km(before, first) + km(last, after) - SHORTER) continue;
    way.splice(from, to - from + 1, ...way.slice(from, to + 1).reverse());
    return true;
  }
  return false;
}

/** Moves the run of visits at `at` to its best place, in either direction; returns true if the run moved. */
function moveRun(way: number[], at: number, run: number, { low, high }: { low: number; high: number }, { km }: Table): boolean {
  const part = way.slice(at, at + run);
  const rest = [...way.slice(0, at), ...way.slice(at + run)];
  const [first, last] = [part[0], part[run - 1]] as [number, number];
  const inserted = (place: number, from: number, to: number) => {
    const [before, after] = [rest[place - 1], rest[place]] as [number, number];
    return km(before, from) + km(to, after) - km(before, after);
  };
  const here = { cost: inserted(at, first, last) - SHORTER, place: at, turned: false };
  let best = here;
  for (let place = low; place <= high - run; place += 1) {
    const [straight, turned] = [inserted(place, first, last), inserted(place, last, first)];
    if (Math.min(straight, turned) < best.cost) best = { cost: Math.min(straight, turned), place, turned: turned < straight };
  }
  if (best === here) return false;
  rest.splice(best.place, 0, ...(best.turned ? part.reverse() : part));
  way.splice(0, way.length, ...rest);
  return true;
}
