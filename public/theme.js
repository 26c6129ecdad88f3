// Runs before the first paint, so that a chosen theme never flashes.
;(function () {
  try {
    var theme = localStorage.getItem('theme')
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  } catch {
    // Storage may be closed to us; then the system's choice of light or dark holds.
  }
  // Links of the auth service may come back to the landing page, which has no script of its own.
  if (location.pathname === '/' && /[#&](access_token|error_code|message)=/.test(location.hash))
    location.replace('/auth/login' + location.hash)
  // Pictures further down are fetched when they are nearly seen.
  document.documentElement.classList.add('scripted')
  document.addEventListener('DOMContentLoaded', function () {
    var watch = new IntersectionObserver(
      function (entries) {
        entries.forEach(function (entry) {
          if (!entry.isIntersecting) return
          entry.target.classList.add('near')
          watch.unobserve(entry.target)
        })
      },
      { rootMargin: '400px' },
    )
    document.querySelectorAll('.later').forEach(function (frame) {
      watch.observe(frame)
    })
  })
  // A chosen theme chooses the pictures, too, which the browser would take by the system's.
  var chosen = document.documentElement.dataset.theme
  if (chosen)
    document.addEventListener('DOMContentLoaded', function () {
      document.querySelectorAll('source[media*="prefers-color-scheme"]').forEach(function (source) {
        var width = /max-width: \d+px/.exec(source.media)
        source.media = chosen === 'light' ? 'not all' : width ? '(' + width[0] + ')' : 'all'
      })
    })
})()
