import { Avatar } from './Avatar.tsx'
import { Menu, MenuChoice, MenuLine, MenuLink, MenuText } from './Menu.tsx'
import type { PersonMenuProps } from './PersonMenu.tsx'
import { chooseTheme, useTheme } from './theme.ts'

export function OpenPersonMenu({
  email,
  name,
  account,
  initials,
}: PersonMenuProps & { initials: string }) {
  const theme = useTheme()
  return (
    <Menu
      label="Your account"
      opens
      trigger={
        <button type="button" aria-label={`${initials}, your account`} className="rounded-full">
          <Avatar initials={initials} />
        </button>
      }
    >
      <MenuText>
        <p className="max-w-64 truncate font-medium">{name}</p>
        <p className="max-w-64 truncate text-ui text-soft">{email}</p>
      </MenuText>
      <MenuLine />
      {account.map(({ to, title, icon }) => (
        <MenuLink key={to} to={to} icon={icon}>
          {title}
        </MenuLink>
      ))}
      <MenuLine />
      <MenuChoice
        label="Theme"
        value={theme}
        options={{ system: 'System', light: 'Light', dark: 'Dark' }}
        onChange={chooseTheme}
      />
    </Menu>
  )
}
