import { DateText } from './DateText.tsx'

/** Until when what was read knows all that was done. */
export const AsOf = ({ at }: { at: string }) => (
  <span className="text-soft">
    As of <DateText value={at} show="moment" />.
  </span>
)
