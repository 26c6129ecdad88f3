import { clsx } from 'clsx'
import { Tabs as Radix } from 'radix-ui'
import { ArrowUpRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'

const tabStyles = clsx(
  '-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm font-medium',
  'whitespace-nowrap text-soft -outline-offset-2 hover:text-ink',
  'data-[state=active]:border-primary data-[state=active]:text-ink',
)

type Props = {
  label: string
  tabs: Readonly<Record<string, ReactNode>>
  /** The tab shown, where the page itself decides. */
  shown?: string
  onShow?: (title: string) => void
  /** A related page of its own beside the tabs: its title and address. */
  links?: Readonly<Record<string, string>>
}

/** Each tab by its title. What is typed in one stays while another is looked at. */
export function Tabs({ label, tabs, shown, onShow, links = {} }: Props) {
  const titles = Object.keys(tabs)
  const [chosen, setChosen] = useState(titles[0] ?? '')
  // An address can name any tab: what is none shows the first.
  const selected = shown ?? chosen
  const show = onShow ?? setChosen
  return (
    <Radix.Root value={titles.includes(selected) ? selected : titles[0]} onValueChange={show}>
      <div className="relative flex gap-1 overflow-x-auto border-b border-line">
        <Radix.List aria-label={label} className="flex gap-1">
          {titles.map((title) => (
            <Radix.Trigger
              key={title}
              value={title}
              // Radix moves the focus by itself, which draws the ring of the keyboard around a pressed tab.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => show(title)}
              className={tabStyles}
            >
              {title}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {Object.entries(links).map(([title, to]) => (
          <Link key={to} to={to} className={clsx(tabStyles, 'flex items-center gap-1')}>
            {title}
            <ArrowUpRight className="size-3.5 text-faint" aria-hidden />
          </Link>
        ))}
      </div>
      {Object.entries(tabs).map(([title, content]) => (
        <Radix.Content
          key={title}
          value={title}
          forceMount
          className="pt-5 data-[state=inactive]:hidden"
        >
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
