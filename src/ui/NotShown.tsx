/** The stand-in for a sum that too few people are behind: it would give away what somebody did. */
export const few_used = 'Use not shown: it would reveal what fewer than five people used'

/** A stand-in for a hidden figure, with the reason if there is room. */
export const NotShown = ({ why = false }: { why?: boolean }) => (
  <span className="text-ui text-faint" title={few_used}>
    {why ? 'Not shown: it would reveal few people’s use' : 'Not shown'}
  </span>
)
