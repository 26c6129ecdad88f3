import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { Failed, Missing } from './Empty.tsx'
import { isMissing, sentenceOf } from './failure.ts'

type Props = { reset: () => void; children: ReactNode }

class Catch extends Component<Props, { error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    const retry = () => {
      this.props.reset()
      this.setState({ error: undefined })
    }
    if (isMissing(this.state.error)) return <Missing />
    return <Failed sentence={sentenceOf(this.state.error)} onRetry={retry} />
  }
}

/** What fails inside says so in its own place, with Retry; everything around it goes on. */
export function Boundary({ children }: { children: ReactNode }) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => <Catch reset={reset}>{children}</Catch>}
    </QueryErrorResetBoundary>
  )
}
