import { rescueSuperadmin } from '../account/account.ts';
import { acceptSecretKey } from '../backups/restore.ts';
import { type Command, UsageError, withDatabase } from './command.ts';

const NEW_KEY = '--clave-nueva';

export const rescueCommand: Command = {
  usage: `rescue EMAIL_O_USUARIO | ${NEW_KEY}`,
  what: `da contraseña nueva, sin segundo factor, a un administrador que no puede entrar; ${NEW_KEY} acepta otra SECRET_KEY si la de antes se perdió`,
  run: async ([account, ...more], context) => {
    if (!account || more.length) throw new UsageError();
    await withDatabase(context, async (db) => {
      if (account === NEW_KEY) {
        await acceptSecretKey(db, context.config.secretKey);
        console.log(
          'La base de datos acepta la SECRET_KEY de ahora. Vuelve a poner la contraseña o la clave del correo, la contraseña de las copias, los secretos de los webhooks y los segundos factores. ' +
            'Las claves de API con las que otros programas usan Enruta siguen valiendo: revócalas en Configuración › Integraciones si alguien las ha podido ver.',
        );
        return;
      }
      const { email, password } = await rescueSuperadmin(db, account);
      console.log(
        `${email} ya puede entrar con esta contraseña, sin segundo factor:\n  ${password}\nCámbiala en «Mi cuenta» en cuanto entres.`,
      );
    });
  },
};
