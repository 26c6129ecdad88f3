// Going back returns the focus to the link that led away.
import { useEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** Long enough for a list that has to be asked again. */
const patience_ms = 3000

export function useWayBack() {
  const { pathname } = useLocation()
  const goes_back = useNavigationType() === NavigationType.Pop
  const last = useRef(pathname)
  useEffect(() => {
    const left = last.current
    last.current = pathname
    return goes_back && left !== pathname ? standOn(left) : undefined
  }, [pathname, goes_back])
}

function standOn(path: string) {
  const reach = () => {
    if (document.activeElement !== document.body) return done()
    const links = document.querySelectorAll<HTMLAnchorElement>('main a[href]')
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
