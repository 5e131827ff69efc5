package deadworkerretain

import "go.opentelemetry.io/collector/pdata/pmetric"

// passing copies the metrics that a rule passes on untouched.
func (p *retain) passing(md pmetric.Metrics) (pmetric.Metrics, bool) {
	if !p.opt.Passes() {
		return pmetric.Metrics{}, false
	}
	passed := pmetric.NewMetrics()
	md.CopyTo(passed)
	passed.ResourceMetrics().RemoveIf(func(rm pmetric.ResourceMetrics) bool {
		rm.ScopeMetrics().RemoveIf(func(sm pmetric.ScopeMetrics) bool {
			sm.Metrics().RemoveIf(func(m pmetric.Metric) bool {
				rule := p.opt.RuleFor(m.Name())
				return rule == nil || !rule.Pass
			})
			return sm.Metrics().Len() == 0
		})
		return rm.ScopeMetrics().Len() == 0
	})
	return passed, passed.ResourceMetrics().Len() > 0
}
