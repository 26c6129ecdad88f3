import { QueryErrorResetBoundary } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { queries } from './ask.ts'
import { Failed, Missing } from './Empty.tsx'
import { isMissing, sentenceOf } from './failure.ts'
import { NotLoaded } from './load-again.ts'

type Props = {
  missing?: ReactNode
  /** The thing shown, such as an address: where it changes, the failure before it is over. */
  of?: string
  children: ReactNode
}

type State = { error: unknown; is_answer?: boolean; of: string | undefined }

class Catch extends Component<Props & { reset: () => void }, State> {
  override state: State = { error: undefined, of: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error, is_answer: isAnswer(error) }
  }

  static getDerivedStateFromProps({ of }: Props, state: State): Partial<State> | null {
    return of === state.of ? null : { error: undefined, of }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    if (this.state.error instanceof NotLoaded) throw this.state.error
    const retry = () => {
      this.props.reset()
      this.setState({ error: undefined })
    }
    if (isMissing(this.state.error)) return this.props.missing ?? <Missing />
    const sentence = this.state.is_answer ? sentenceOf(this.state.error) : undefined
    return <Failed sentence={sentence} onRetry={retry} />
  }
}

/** Whether a question failed with it; else the page itself has a fault. */
const isAnswer = (error: unknown) =>
  queries
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.error === error)

/** A failure inside is shown in its own place, with Retry, or as not found; everything around it goes on. */
export function Boundary({ children, ...props }: Props) {
  return (
    <QueryErrorResetBoundary>
      {({ reset }) => (
        <Catch {...props} reset={reset}>
          {children}
        </Catch>
      )}
    </QueryErrorResetBoundary>
  )
}
