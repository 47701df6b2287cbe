import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFile, type Operation, type Outcome } from './operation.ts';
import { afterReport, type Lane, type Link, linkAfter, nextTask, QUIET, taskAfterOutcome, wakeLink } from './states.ts';

/*
 * Simulates phones and a server, without a browser: random answers, killed tabs, changed clocks, two people with two tabs each. The model
 * has the same state as the program: rows in the store, and a `Line` for each lane of an open tab.
 */

const PROGRAM = '1';
const LANES = ['steps', 'files'] as const satisfies Lane[];
const PEOPLE = ['nuria', 'pepe'];

type Answer = 'accepted' | 'lost' | 'silent' | 'busy' | 'faulty' | 'refused' | 'signedOut';
type Event =
  | { do: 'add'; person: number; order: number; photo: boolean }
  | { do: 'time'; ms: number }
  | { do: 'clock'; ms: number }
  | { do: 'wake'; tab: number }
  | { do: 'kill'; tab: number }
  | { do: 'hide'; tab: number }
  | { do: 'work'; tab: number; lane: number; answer: Answer; told: boolean; killed: boolean };

const tab = fc.nat({ max: 3 });
const answer = fc.constantFrom<Answer>('accepted', 'accepted', 'lost', 'silent', 'busy', 'faulty', 'refused', 'signedOut');
const work = fc.record({
  do: fc.constant('work' as const),
  tab,
  lane: fc.nat({ max: 1 }),
  answer,
  told: fc.boolean(),
  killed: fc.boolean(),
});
const event: fc.Arbitrary<Event> = fc.oneof(
  { arbitrary: work, weight: 8 },
  {
    arbitrary: fc.record({ do: fc.constant('add' as const), person: fc.nat({ max: 1 }), order: fc.nat({ max: 2 }), photo: fc.boolean() }),
    weight: 3,
  },
  { arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.nat({ max: 400_000 }) }), weight: 3 },
  fc.record({ do: fc.constant('clock' as const), ms: fc.integer({ min: -90_000_000, max: 90_000_000 }) }),
  fc.record({ do: fc.constantFrom('wake' as const, 'kill' as const, 'hide' as const), tab }),
);

function outcomeOf(answer: Answer): Outcome {
  if (answer === 'accepted') return { kind: 'accepted', message: '' };
  if (answer === 'faulty') return { kind: 'faulty', reason: 'Error interno' };
  if (answer === 'refused') return { kind: 'refused', reason: 'Cancelado', error: undefined };
  return { kind: answer === 'lost' ? 'silent' : answer };
}

/** Creates a phone with two tabs for each of two people, and the state of server and office. */
function createModel() {
  let rows: Operation[] = [];
  let [clock, elapsed, seq] = [1_700_000_000_000, 0, 0];
  const lines = PEOPLE.flatMap(() => [0, 1]).map(() => freshLines());
  const effects = new Map<string, { person: string; seq: number; pedido: string }>();
  const requests: { at: number; answered: boolean }[] = [];
  const office = new Set<string>();
  const made: Operation[] = [];

  function freshLines(): Record<Lane, Link> {
    return { steps: QUIET, files: QUIET };
  }
  const personOf = (n: number) => PEOPLE[n >> 1] ?? '';
  const patch = (id: string, set: Partial<Operation>) => {
    rows = rows.map((row) => (row.id === id ? { ...row, ...set } : row));
  };
  const row = (person: string, order: number, more: Partial<Operation>): Operation => {
    seq += 1;
    const fresh = { state: 'pendiente', reason: null, refusedAt: null, reported: false, tries: 0, next: 0, version: PROGRAM } as const;
    const rest = { person, numero: '', label: '', method: 'POST', path: '/estado', body: {}, at: '' } as const;
    return { id: `${seq}`, seq, pedido: `${person}-${order}`, ...fresh, ...rest, ...more };
  };
  function add({ person, order, photo }: Extract<Event, { do: 'add' }>) {
    const step = row(PEOPLE[person] ?? '', order, {});
    const its = photo ? [row(step.person, order, { file: 'image/jpeg', after: step.id })] : [];
    rows.push(step, ...its);
    made.push(step, ...its);
    for (const n of [0, 1]) wake(person * 2 + n);
  }
  const wake = (n: number) => {
    const tab = lines[n];
    for (const lane of LANES) if (tab) tab[lane] = wakeLink(tab[lane]);
  };

  /** Simulates the server, which does the operation of each key once, and repeats its answer. */
  function serve(operation: Operation, answer: Answer): Outcome {
    const reached = !['silent', 'busy', 'faulty', 'signedOut'].includes(answer);
    const known = effects.get(operation.id);
    requests.push({ at: elapsed, answered: answer !== 'silent' && answer !== 'lost' });
    if (reached && answer !== 'refused' && !known)
      effects.set(operation.id, { person: operation.person, seq: operation.seq ?? 0, pedido: operation.pedido });
    return outcomeOf(answer === 'refused' && known ? 'accepted' : answer);
  }

  /** Runs one task of a lane; returns false if none was due. */
  function step(n: number, lane: Lane, answer: Answer, wantsFiles: boolean, killed: boolean): boolean {
    const tab = lines[n];
    if (!tab) return false;
    const person = personOf(n);
    const task = nextTask(
      rows.filter((row) => row.person === person),
      clock,
      lane,
      tab[lane],
      PROGRAM,
    );
    if (task.do === 'wait' || task.do === 'rest') return false;
    if (task.do === 'remove') {
      const isWanted = ({ after, state }: Operation) => state === 'pendiente' && rows.some(({ id, wanted }) => id === after && wanted);
      expect(task.operations.filter(isWanted)).toEqual([]);
      for (const row of task.operations)
        expect(isFile(row) || (office.has(row.id) && row.hidden), `${row.id} leaves the phone before the office has it`).toBe(true);
      rows = rows.filter((row) => !task.operations.includes(row));
      return true;
    }
    const { operation } = task;
    expect(operation.person).toBe(person);
    if (task.do === 'report') {
      requests.push({ at: elapsed, answered: answer !== 'silent' && answer !== 'lost' });
      const failed = answer !== 'accepted' && answer !== 'refused' && answer !== 'lost';
      if (!failed && operation.state === 'rechazado') office.add(operation.id);
      const outcome = outcomeOf(failed || answer === 'lost' ? answer : 'accepted');
      if (killed) return kill(n);
      tab[lane] = linkAfter(tab[lane], `report ${operation.id}`, outcome, lane, clock);
      if (outcome.kind !== 'silent' && outcome.kind !== 'signedOut')
        patch(operation.id, afterReport(operation, failed ? 'failed' : wantsFiles ? 'files' : 'reported', clock));
      return true;
    }
    expect(operation.state).toBe('pendiente');
    expect(tab[lane].signedOut).toBe(false);
    // Files of a refused step must not be sent unless the office wants them.
    expect(rows.some(({ id, state, wanted }) => id === operation.after && state === 'rechazado' && !wanted)).toBe(false);
    const outcome = serve(operation, answer);
    if (killed) return kill(n);
    tab[lane] = linkAfter(tab[lane], operation.id, outcome, lane, clock);
    if (outcome.kind === 'accepted' && isFile(operation)) rows = rows.filter(({ id }) => id !== operation.id);
    else patch(operation.id, taskAfterOutcome(operation, outcome, clock, false, PROGRAM));
    return true;
  }
  function kill(n: number): true {
    lines[n] = freshLines();
    wake(n);
    return true;
  }

  return {
    rows: () => rows,
    made,
    effects,
    office,
    requests,
    step,
    run(one: Event): void {
      if (one.do === 'add') add(one);
      else if (one.do === 'time') [clock, elapsed] = [clock + one.ms, elapsed + one.ms];
      else if (one.do === 'clock') clock += one.ms;
      else if (one.do === 'kill') kill(one.tab);
      else if (one.do === 'wake') wake(one.tab);
      else if (one.do === 'hide')
        rows = rows.map((row) => (row.state === 'rechazado' && row.person === personOf(one.tab) ? { ...row, hidden: true } : row));
      else step(one.tab, LANES[one.lane] ?? 'steps', one.answer, one.told, one.killed);
    },
    /** Restores network and server, and works until nothing is left to do. */
    settle(): void {
      for (let n = 0; n < 400; n += 1) {
        clock += 300_000;
        elapsed += 300_000;
        rows = rows.map((row) => (row.state === 'rechazado' ? { ...row, hidden: true } : row));
        for (const tab of [0, 2]) for (const lane of LANES) while (step(tab, lane, 'accepted', true, false));
        if (rows.every(({ state }) => state === 'aceptado')) return;
        for (const tab of [0, 2]) wake(tab);
      }
    },
  };
}

describe('random failures of phone and server', () => {
  it('every operation reaches the server once or is reported to the office, with the steps of an order in sequence', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120, size: 'max' }), (events) => {
        const model = createModel();
        for (const event of events) model.run(event);
        model.settle();
        const { effects, office, made } = model;
        expect(model.rows().filter(({ state }) => state !== 'aceptado')).toEqual([]);
        for (const operation of made) {
          const step = made.find(({ id }) => id === operation.after) ?? operation;
          expect(effects.has(operation.id) || office.has(operation.id) || office.has(step.id), `${operation.id} is lost`).toBe(true);
          // Reported operations were refused, so the server must not have done them.
          expect(effects.has(operation.id) && office.has(operation.id)).toBe(false);
          expect(effects.get(operation.id)?.person ?? operation.person).toBe(operation.person);
        }
        const steps = [...effects.entries()].filter(([id]) => !made.some((operation) => operation.id === id && isFile(operation)));
        for (const pedido of new Set(steps.map(([, effect]) => effect.pedido))) {
          const order = steps.filter(([, effect]) => effect.pedido === pedido).map(([, effect]) => effect.seq);
          expect(order).toEqual([...order].sort((a, b) => a - b));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('a phone without responses sends at most 15 requests a minute, however often it is woken', () => {
    fc.assert(
      fc.property(fc.nat({ max: 12 }), fc.array(fc.nat({ max: 3000 }), { minLength: 20, maxLength: 400 }), (orders, pauses) => {
        const model = createModel();
        for (let order = 0; order <= orders; order += 1) model.run({ do: 'add', person: 0, order, photo: true });
        let elapsed = 0;
        for (const ms of pauses) {
          model.run({ do: 'time', ms });
          elapsed += ms;
          model.run({ do: 'wake', tab: 0 });
          for (const lane of LANES) while (model.step(0, lane, 'silent', true, false));
        }
        expect(model.requests.length).toBeLessThanOrEqual(4 + 15 * Math.ceil((elapsed + 1) / 60_000));
      }),
    );
  });

  it('a step is not delayed by photos, nor by steps of other orders that are refused, faulty or late', () => {
    fc.assert(
      fc.property(fc.constantFrom<Answer>('refused', 'faulty', 'busy', 'silent'), (answer) => {
        const model = createModel();
        model.run({ do: 'add', person: 0, order: 0, photo: true });
        model.run({ do: 'add', person: 0, order: 1, photo: false });
        model.step(0, 'steps', answer, true, false);
        for (let n = 0; n < 10; n += 1) {
          model.run({ do: 'time', ms: 2000 });
          model.step(0, 'steps', 'accepted', true, false);
        }
        expect(model.effects.has('3')).toBe(true);
      }),
    );
  });
});

describe('an operation that the server does not accept', () => {
  const operation: Operation = {
    ...{ id: '1', seq: 1, person: 'nuria', pedido: 'a', numero: '', label: '', method: 'POST', path: '/estado', body: {}, at: '' },
    ...{ version: PROGRAM, state: 'pendiente', reason: null, refusedAt: null, reported: false, tries: 0, next: 0 },
  };
  const NOW = 1_700_000_000_000;
  const failed = (outcome: Outcome, times: number) => {
    let tried = operation;
    for (let n = 0; n < times; n += 1) tried = { ...tried, ...taskAfterOutcome(tried, outcome, NOW, false, PROGRAM) };
    return tried;
  };

  it('an operation waits longer after each silence and each fault, up to some minutes', () => {
    const waits = (outcome: Outcome) => [1, 2, 3, 20].map((times) => failed(outcome, times).next - NOW);
    expect(waits({ kind: 'silent' })).toEqual([2000, 4000, 8000, 120_000]);
    expect(waits({ kind: 'faulty', reason: 'Error interno' })).toEqual([5000, 10_000, 20_000, 300_000]);
  });

  it('a faulty operation waits despite wakes, but another version of the program sends it at once', () => {
    const faulty = failed({ kind: 'faulty', reason: 'Error interno' }, 1);
    const awake = wakeLink(wakeLink(QUIET));
    expect(nextTask([faulty], NOW + 1000, 'steps', awake, PROGRAM)).toEqual({ do: 'wait', ms: 4000 });
    expect(nextTask([faulty], NOW + 5000, 'steps', awake, PROGRAM)).toMatchObject({ do: 'send' });
    expect(nextTask([faulty], NOW + 1000, 'steps', awake, '2')).toMatchObject({ do: 'send' });
  });

  it('an operation is reported to the office once, at its second fault', () => {
    const fault: Outcome = { kind: 'faulty', reason: 'Error interno' };
    const [first, second] = [failed(fault, 1), failed(fault, 2)];
    expect(nextTask([first], NOW, 'steps', QUIET, PROGRAM)).toMatchObject({ do: 'wait' });
    expect(nextTask([second], NOW, 'steps', QUIET, PROGRAM)).toMatchObject({ do: 'report' });
    const reported = { ...second, ...afterReport(second, 'reported', NOW) };
    expect(nextTask([reported], NOW, 'steps', QUIET, PROGRAM)).toMatchObject({ do: 'wait' });
    expect(reported.state).toBe('pendiente');
  });
});
