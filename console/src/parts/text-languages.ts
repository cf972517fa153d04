import type { IndexCreateTextLanguage } from '#client';

/** Languages of the texts of an index. */
export const textLanguages =
  'english auto arabic danish dutch finnish french german greek hungarian italian korean none norwegian portuguese romanian russian spanish swedish tamil turkish'.split(
    ' ',
  ) as readonly IndexCreateTextLanguage[];
