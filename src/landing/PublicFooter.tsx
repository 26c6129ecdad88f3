import { paths } from '#paths.ts'
import { Brand } from '#ui/Brand.tsx'

const links = [
  ['Features', '/#features'],
  ['Demo', paths.demo],
  ['Contact', paths.contact],
  ['Terms of Service', paths.terms],
  ['Privacy', paths.privacy],
  ['Accessibility', paths.accessibility],
  ['Login', paths.login],
] as const

const version = String(import.meta.env.VITE_VERSION)
const styles = 'rounded-md px-2 py-1 text-sm font-medium text-soft hover:text-ink'

/** Ends the landing page and every other page that is open to everybody. Plain links: both sides draw it. */
export function PublicFooter() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 px-5 py-10 sm:flex-row sm:items-center sm:px-8">
        <div>
          <Brand />
          <p className="mt-2 text-ui text-soft">Enterprise Health Management Platform</p>
          <p className="mt-1 text-ui text-soft">Version {version}</p>
        </div>
        <nav aria-label="Footer" className="-mx-2 flex flex-wrap gap-x-3 gap-y-1 sm:ml-auto">
          {links.map(([title, href]) => (
            <a key={title} href={href} className={styles}>
              {title}
            </a>
          ))}
        </nav>
      </div>
    </footer>
  )
}
