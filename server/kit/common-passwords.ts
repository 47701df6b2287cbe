// The most common entries of guessing lists, of six characters or more.
const COMMON = new Set(
  '123456 1234567 12345678 123456789 1234567890 111111 000000 123123 654321 666666 121212 112233 abc123 abcdef qwerty qwertyuiop qwerty123 password password1 passw0rd iloveyou admin123 administrador contraseña contrasena secreto letmein welcome monkey dragon 1q2w3e4r 1qaz2wsx asdfgh asdfghjkl zxcvbn superadmin enruta enruta123'.split(
    ' ',
  ),
);

/** True for one of the passwords that everybody tries first. */
export const isCommonPassword = (password: string): boolean => COMMON.has(password.toLowerCase());
