import { Brand } from '#ui/Brand.tsx'
import { PartsOfActs } from './PartsOfActs.tsx'
import { PartsOfData } from './PartsOfData.tsx'
import { PartsOfFiles } from './PartsOfFiles.tsx'
import { PartsOfForms } from './PartsOfForms.tsx'
import { PartsOfLists } from './PartsOfLists.tsx'
import { Page } from '#ui/Page.tsx'
import { PartsSection } from './PartsSection.tsx'
import { chooseTheme, useTheme } from '#ui/theme.ts'

/** Every part in every state, to look at while building. Not linked from anywhere. */
export function PartsPage() {
  return (
    <div className="min-h-dvh">
      <header className="sticky top-0 z-40 border-b border-line bg-ground">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-4 px-4 sm:px-6 lg:px-10">
          <Brand />
          <ThemeChoice />
        </div>
      </header>
      <main>
        <Page title="Parts" description="Every part of the design, in every state.">
          <Colours />
          <PartsOfActs />
          <PartsOfForms />
          <PartsOfFiles />
          <PartsOfData />
          <PartsOfLists />
        </Page>
      </main>
    </div>
  )
}

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const

function ThemeChoice() {
  const theme = useTheme()
  return (
    <fieldset className="ml-auto flex gap-1">
      <legend className="sr-only">Theme</legend>
      {(['system', 'light', 'dark'] as const).map((value) => (
        <button
          key={value}
          type="button"
          aria-pressed={theme === value}
          onClick={() => chooseTheme(value)}
          className="rounded-md px-2.5 py-1 text-ui text-soft aria-pressed:bg-sunken aria-pressed:text-ink"
        >
          {themes[value]}
        </button>
      ))}
    </fieldset>
  )
}

const colours = [
  'bg-ground',
  'bg-surface',
  'bg-sunken',
  'bg-line',
  'bg-edge',
  'bg-ink',
  'bg-primary',
  'bg-primary-wash',
  'bg-accent',
  'bg-accent-wash',
  'bg-secondary',
  'bg-good',
  'bg-bad',
  'bg-prevention',
  'bg-treatment',
  'bg-solidarity',
]

const Colours = () => (
  <PartsSection title="Colours">
    <ul className="grid grid-cols-4 gap-3 sm:grid-cols-8">
      {colours.map((colour) => (
        <li key={colour} className="min-w-0 text-2xs text-soft">
          <span className={`mb-1 block h-10 rounded-md ring-1 ring-line ${colour}`} />
          <span className="block truncate">{colour.slice(3)}</span>
        </li>
      ))}
    </ul>
  </PartsSection>
)
