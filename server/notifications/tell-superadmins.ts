import type { NotificationType } from '../../contract/notifications/notifications.ts';
import type { Actor } from '../../contract/policy/policy.ts';
import { provenWords } from '../../contract/settings/values.ts';
import type { Tx } from '../db/open.ts';
import type { SettingsChange } from '../kit/feature.ts';
import { notify } from './notify.ts';

/** Notifies the superadmins, except the author, by bell and mail: the author may be an impostor. */
export const tellSuperadmins = (tx: Tx, actor: Actor, tipo: NotificationType, texto: string, enlace: string): Promise<void> =>
  notify(tx, { tipo, texto, enlace, roles: ['superadmin'], except: actor.id, mail: true });

/** Notifies the other superadmins of changed settings that require step-up. */
export async function tellOfSettings(tx: Tx, { actor, changed, isShorter }: SettingsChange): Promise<void> {
  const words = provenWords(changed);
  if (words.length === 0) return;
  const list = new Intl.ListFormat('es').format(words);
  const later = isShorter ? '. Lo que ahora se borra antes se conserva todavía un día' : '';
  await tellSuperadmins(tx, actor, 'configuracion_cambiada', `${actor.full_name} ha cambiado ${list}${later}`, '/configuracion');
}
