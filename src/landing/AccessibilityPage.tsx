import { enlarged_screen, gaps, tested_on, ways, widths } from './accessibility.ts'
import { PublicPage } from './PublicPage.tsx'
import { Reach, Sections, type LandingSection } from './Sections.tsx'

const pages = Object.values(ways).flat().length

const sections: LandingSection[] = [
  {
    id: 'state',
    title: 'Where it stands',
    content: (
      <>
        <p>
          Everybody should be able to use Healthfund, however they see, hear, move or read. The aim
          is the Web Content Accessibility Guidelines (WCAG) 2.2 at level AA, which include what the
          European standard EN 301 549 asks of web pages in its chapter 9.
        </p>
        <p>
          By our own tests Healthfund partly conforms: all that was tested holds, except the gaps
          below. It has not been audited externally yet.
        </p>
      </>
    ),
  },
  {
    id: 'tested',
    title: 'What was tested, and how',
    content: (
      <>
        <p>Every release of Healthfund has to pass these tests.</p>
        <ul>
          <li>
            <strong>Every page</strong> is checked by axe against the rules of WCAG 2.0, 2.1 and
            2.2, levels A and AA: signed out and in each of the three roles, {widths.join(', ')}{' '}
            pixels wide, in light and dark.
          </li>
          <li>
            <strong>Keyboard:</strong> signing in, submitting a claim, deciding one, menus, panels
            and dialogs work without a mouse; the focus can always be seen and returns to where it
            was.
          </li>
          <li>
            <strong>Enlarged to {enlarged_screen.percent}%:</strong> {pages} main pages fit into{' '}
            {enlarged_screen.width} by {enlarged_screen.height} pixels without scrolling sideways.
          </li>
          <li>
            <strong>Forced colours:</strong> on the same pages everything that can be pressed keeps
            a visible edge or text of its own.
          </li>
          <li>
            <strong>Reduced motion:</strong> on the same pages nothing keeps moving.
          </li>
          <li>
            <strong>Reading order:</strong> the tree that the browser hands to screen readers is
            read on the same pages: one main part, one first heading, no level left out, a name for
            everything that can be pressed or filled in.
          </li>
        </ul>
        <p>Last tested in full on {tested_on}.</p>
      </>
    ),
  },
  {
    id: 'gaps',
    title: 'Known gaps',
    content: (
      <ul>
        {gaps.map(({ what, instead, by }) => (
          <li key={what}>
            {what} {instead} {by && `To be closed by ${by}.`}
          </li>
        ))}
      </ul>
    ),
  },
  {
    id: 'complain',
    title: 'Tell us, or complain',
    content: (
      <>
        <p>
          If something keeps you from using Healthfund, contact the provider through <Reach />. Say
          which page it was and what you use. You get an answer within two weeks, and can ask for
          what you need in another form.
        </p>
        <p>
          If the answer doesn’t help, turn to your company’s administrators. The body that oversees
          accessibility in the provider’s country takes complaints.
        </p>
      </>
    ),
  },
]

export function AccessibilityPage() {
  return (
    <PublicPage
      wide
      title="Accessibility"
      description="What was done so that everybody can use Healthfund, what was tested, and what is still missing."
    >
      <Sections updated={tested_on} sections={sections} />
    </PublicPage>
  )
}
