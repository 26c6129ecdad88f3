// The part of a page that keeps its filters under names, for pages of several features.
export { SavedViews } from '#views/SavedViews.tsx'
