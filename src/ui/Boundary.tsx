import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { Failed, Missing } from './Empty.tsx'
import { isMissing, sentenceOf } from './failure.ts'

type Props = { missing?: ReactNode; children: ReactNode }

class Catch extends Component<Props & { reset: () => void }, { error: unknown }> {
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
    if (isMissing(this.state.error)) return this.props.missing ?? <Missing />
    return <Failed sentence={sentenceOf(this.state.error)} onRetry={retry} />
  }
}

/** A failure inside is shown in its own place, with Retry, or as not found; everything around it goes on. */
export function Boundary({ children, missing }: Props) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Catch reset={reset} missing={missing}>
          {children}
        </Catch>
      )}
    </QueryErrorResetBoundary>
  )
}
