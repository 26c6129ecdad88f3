// Parts that are fetched when the first is opened: not a part of everybody's first load.
import { useEffect, useEffectEvent, useState, type ComponentType, type ReactNode } from 'react'
import { showFailure } from './failure.ts'
import { ifOnline } from './load-again.ts'

type OpenedProps = { onClose: () => void; waiting?: ReactNode }

/**
 * Draws a part once it is loaded, and `waiting` until then. If it can't be loaded a toast says so and it is closed, so that the
 * button that opened it can be pressed again.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile?: ReactNode,
) {
  let part: ComponentType<P> | undefined
  return function OnDemand({ waiting, ...props }: P & OpenedProps) {
    const [Part, setPart] = useState(() => part)
    const fail = useEffectEvent((fault: unknown) => {
      showFailure(fault)
      props.onClose()
    })
    useEffect(() => {
      if (Part) return undefined
      let gone = false
      const bring = async () => {
        try {
          part = await ifOnline(load)
          if (!gone) setPart(() => part)
        } catch (fault) {
          if (!gone) fail(fault)
        }
      }
      void bring()
      return () => {
        gone = true
      }
    }, [Part])
    return Part ? <Part {...(props as unknown as P)} /> : (waiting ?? meanwhile)
  }
}
