import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { IconButton } from '#ui/Button.tsx'
import { onDemand } from '#ui/OnDemand.tsx'

const FindDialog = onDemand(async () => (await import('./FindDialog.tsx')).FindDialog)

/** The search on every page, also by Ctrl or ⌘ and K. */
export function Find() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.shiftKey || event.altKey || document.querySelector('[role$=dialog]')) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <IconButton
        label="Find (Ctrl or ⌘ K)"
        icon={<Search className="size-5" aria-hidden />}
        onClick={() => setOpen(true)}
      />
      {open && <FindDialog onClose={() => setOpen(false)} />}
    </>
  )
}
