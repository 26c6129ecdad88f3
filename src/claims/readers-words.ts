import { formatOf } from '#lib/currencies.ts'
import { dateText } from '#ui/DateText.tsx'

/** Sums and days are kept as the record has them, and shown as the reader's locale writes them. */
export const inReadersWords = (says: string) =>
  says
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, (day) => dateText(day))
    .replaceAll(/\b(\d+(?:\.\d+)?) ([A-Z]{3})\b/g, (_, sum: string, currency: string) =>
      formatOf(undefined, currency).format(Number(sum)),
    )
