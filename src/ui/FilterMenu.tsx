import { ListFilter } from 'lucide-react'
import { Button } from './Button.tsx'
import { Menu, MenuChoice } from './Menu.tsx'
import { useFilter } from './url-state.ts'

type Props = {
  label: string
  name: string
  options: Readonly<Record<string, string>>
}

export function FilterMenu({ label, name, options }: Props) {
  const [value, change] = useFilter(name)
  const chosen = options[value]
  return (
    <Menu
      label={label}
      align="start"
      trigger={
        <Button icon={ListFilter} faint>
          {label}
          {chosen && <span className="text-primary-ink">{chosen}</span>}
        </Button>
      }
    >
      <MenuChoice
        label={label}
        value={value}
        options={{ '': 'All', ...options }}
        onChange={change}
      />
    </Menu>
  )
}
