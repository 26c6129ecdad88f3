import { renderToStaticMarkup } from 'react-dom/server'
import { LandingPage } from './LandingPage.tsx'

/** Used by the build alone: vite.config.ts puts this into index.html. */
export const landing = () => renderToStaticMarkup(<LandingPage />)
