import { expect, test } from 'vitest';
import { backupCommand } from './backup.ts';
import { type Command, type Env, UsageError } from './command.ts';
import { moveCommand } from './move.ts';
import { rescueCommand } from './rescue.ts';
import { restoreCommand } from './restore.ts';
import { userAddCommand } from './user-add.ts';

const open = () => expect.fail('opens the shop');
const shut = { open, openBeside: open } as unknown as Env;
const EVA = ['eva@tienda.es', '--nombre', 'Eva'];

test.each<[name: string, Command, args: string[]]>([
  ['restore', restoreCommand, []],
  ['restore', restoreCommand, ['a.enc', 'b.enc']],
  ['restore', restoreCommand, ['a.enc', '--sobreescribir']],
  ['restore', restoreCommand, ['a.enc', '--anonimizar', '--con-sus-datos']],
  ['restore', restoreCommand, ['--hasta']],
  ['restore', restoreCommand, ['--hasta', 'ahora', '--anonimizar']],
  ['backup', backupCommand, ['a.enc', 'b.enc']],
  ['move', moveCommand, []],
  ['rescue', rescueCommand, []],
  ['user add', userAddCommand, []],
  ['user add', userAddCommand, [...EVA, '--papel', 'revendedor']],
])('«%s» refuses wrong arguments before it opens the shop: %#', async (_, command, args) => {
  await expect(command.run(args, shut)).rejects.toBeInstanceOf(UsageError);
});

test.each([
  [[...EVA, '--rol', 'jefa'], '--rol jefa no existe: elige superadmin, revendedor o transportista.'],
  [EVA, 'Falta --rol: elige superadmin, revendedor o transportista.'],
])('«user add» %j says which roles there are', (args, sentence) => expect(userAddCommand.run(args, shut)).rejects.toThrow(sentence));
