import { gapSentence, tooFew, type PolicyGaps } from '#claims/policies/gaps.contract.ts'
import { Callout } from '#ui/Callout.tsx'

/** A warning before a reviewer's right ends. */
export function GapsNote({ gaps, title }: { gaps: PolicyGaps; title: string }) {
  const too_few = tooFew(gaps)
  if (gaps.steps.length === 0 && !too_few) return null
  return (
    <Callout tone="accent" title={title}>
      <ul className="flex flex-col gap-1">
        {gaps.steps.map((one) => (
          <li key={`${one.number} ${one.gap}`}>{gapSentence(one, `Step ${one.number}`)}</li>
        ))}
        {too_few && <li>{too_few}</li>}
      </ul>
    </Callout>
  )
}
