package lifecycle

// Candidates is the default of the ordered list of attributes by which a
// worker is named: the first candidate whose attributes are all present.
var Candidates = []Candidate{
	{AttrWorkerID},
	{AttrInstanceID},
	{"host.name", AttrPID},
	{"k8s.pod.uid"},
	{"container.id"},
	{"faas.instance"},
}

// Candidate is one or more resource attributes that together name a worker.
type Candidate []string
