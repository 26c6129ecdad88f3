/** In place of a sum that too few people are behind: it would tell what somebody did. */
export const few_used = 'Use not shown: it would reveal what fewer than five people used'

export const NotShown = () => (
  <span className="text-ui text-faint" title={few_used}>
    Not shown
  </span>
)
