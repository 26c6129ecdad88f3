import { clsx } from 'clsx'
import { MapPin } from 'lucide-react'
import { useId } from 'react'
import { DateText } from '#ui/DateText.tsx'
import type { CheckProvider } from './health-checks.contract.ts'

type Props = {
  providers: CheckProvider[]
  chosen: string
  onChoose: (id: string) => void
}

export function ProviderChoice({ providers, chosen, onChoose }: Props) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="flex h-9 items-center text-sm font-semibold">Where</legend>
      <div className="mt-2 flex flex-col gap-2">
        {providers.map((provider) => (
          <label
            key={provider.id}
            className={clsx(
              'relative cursor-pointer rounded-card border p-4 text-sm transition-colors',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2',
              'has-focus-visible:outline-primary',
              provider.id === chosen
                ? 'border-primary bg-primary-wash'
                : 'border-line hover:bg-sunken',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={provider.id === chosen}
              onChange={() => onChoose(provider.id)}
            />
            <span className="block font-medium wrap-anywhere">{provider.offers}</span>
            <span className="block wrap-anywhere text-soft">{provider.name}</span>
            <span className="mt-2 flex gap-1.5 text-ui wrap-anywhere text-soft">
              <MapPin className="mt-0.5 size-3.5 shrink-0" aria-hidden />
              {provider.place}
            </span>
            <span className="mt-1 block text-ui text-soft">
              {provider.next_free_on ? (
                <>
                  Next free: <DateText value={provider.next_free_on} />
                </>
              ) : (
                'No free places at the moment'
              )}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
