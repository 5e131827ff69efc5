package scenario

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

type line struct {
	number int
	text   string
}

var (
	loopHead  = regexp.MustCompile(`^for ([a-z]+) in (\d+)\.\.(\d+)$`)
	loopValue = regexp.MustCompile(`\$([a-z]+)|\$\(([^)]*)\)`)
)

// unroll writes every "for i in 0..9 ... end" out. In the body $i is the
// counter and $(1000+300*i) is arithmetic on whole numbers.
func unroll(lines []line) ([]line, error) {
	var out []line
	for i := 0; i < len(lines); i++ {
		head := loopHead.FindStringSubmatch(strings.TrimSpace(lines[i].text))
		if head == nil {
			out = append(out, lines[i])
			continue
		}
		end := i + 1
		for ; end < len(lines) && strings.TrimSpace(lines[end].text) != "end"; end++ {
			if loopHead.MatchString(strings.TrimSpace(lines[end].text)) {
				return nil, fmt.Errorf("line %d: a loop inside a loop", lines[end].number)
			}
		}
		if end == len(lines) {
			return nil, fmt.Errorf("line %d: the loop has no end", lines[i].number)
		}
		body, err := repeat(lines[i+1:end], head[1], head[2], head[3])
		if err != nil {
			return nil, err
		}
		out = append(out, body...)
		i = end
	}
	return out, nil
}

func repeat(body []line, name, from, to string) ([]line, error) {
	first, _ := strconv.Atoi(from)
	last, _ := strconv.Atoi(to)
	var out []line
	for n := first; n <= last; n++ {
		for _, l := range body {
			var bad error
			text := loopValue.ReplaceAllStringFunc(l.text, func(match string) string {
				value, err := evaluate(strings.Trim(match, "$()"), name, n)
				if err != nil {
					bad = fmt.Errorf("line %d: %w", l.number, err)
				}
				return strconv.Itoa(value)
			})
			if bad != nil {
				return nil, bad
			}
			out = append(out, line{l.number, strings.TrimSpace(text)})
		}
	}
	return out, nil
}

// evaluate reads sums of products: 1000+300*i.
func evaluate(expr, name string, value int) (int, error) {
	sum := 0
	for term := range strings.SplitSeq(expr, "+") {
		product := 1
		for factor := range strings.SplitSeq(term, "*") {
			factor = strings.TrimSpace(factor)
			n := value
			if factor != name {
				var err error
				if n, err = strconv.Atoi(factor); err != nil {
					return 0, fmt.Errorf("%q in %q is neither a whole number nor %s", factor, expr, name)
				}
			}
			product *= n
		}
		sum += product
	}
	return sum, nil
}
