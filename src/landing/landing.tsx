import { renderToStaticMarkup } from 'react-dom/server'
import { LandingPage } from './LandingPage.tsx'

/** For the build only: vite.config.ts puts this into index.html. */
export const landing = () => renderToStaticMarkup(<LandingPage />)
