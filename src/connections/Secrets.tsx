import { DateText } from '#ui/DateText.tsx'

type Props = {
  /** The beginning of such a secret. */
  prefix: 'hfk_' | 'whsec_'
  secrets: readonly { ending: string; ends_at: string | null }[]
}

/** Secrets that are valid now, by their ends: while one is renewed there are two. */
export const Secrets = ({ prefix, secrets }: Props) => (
  <p className="mt-1 text-ui text-pretty text-soft">
    {secrets.map(({ ending, ends_at }, at) => (
      <span key={ending}>
        {at > 0 && ' · '}
        <span className="font-mono">
          {prefix}…{ending}
        </span>
        {ends_at && (
          <>
            {' '}
            until <DateText value={ends_at} show="moment" />
          </>
        )}
      </span>
    ))}
  </p>
)
