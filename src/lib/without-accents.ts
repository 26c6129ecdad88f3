const letters: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', ß: 'ss' }

/**
 * The same rule as `without_accents` of db/004_people.sql for texts that are searched: 'Öztürk' → 'ozturk',
 * 'Straße' → 'strasse'.
 */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[øłđıß]/g, (letter) => letters[letter] ?? letter)
