// Going back, or up from one thing to its list, returns the focus to the link that led away.
import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'
import { standsOnPage } from './focus-return.ts'

/** Long enough for a list that has to be asked again. */
const patience_ms = 3000

export function useWayBack() {
  const { pathname } = useLocation()
  const goes_back = useNavigationType() === NavigationType.Pop
  const last = useRef(pathname)
  useEffect(() => {
    const left = last.current
    last.current = pathname
    if (goes_back && left !== pathname) return standOnLink(left, 'main a[href]')
    // A neighbouring tab leads away as well, but is not where the reader was.
    return left.startsWith(`${pathname}/`)
      ? standOnLink(left, 'main a[href]:not(nav a)')
      : undefined
  }, [pathname, goes_back])
}

function standOnLink(path: string, among: string) {
  const reach = () => {
    if (!standsOnPage()) return done()
    const links = document.querySelectorAll<HTMLAnchorElement>(among)
    const link = [...links].find(({ href }) => new URL(href).pathname === path)
    if (!link) return undefined
    link.focus()
    return done()
  }
  const drawn = new MutationObserver(reach)
  const timer = setTimeout(() => done(), patience_ms)
  const done = () => {
    drawn.disconnect()
    clearTimeout(timer)
  }
  drawn.observe(document.body, { childList: true, subtree: true })
  reach()
  return done
}
