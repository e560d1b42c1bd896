//! The text format of Prometheus.

/// The samples of a scrape: name, labels, value.
#[derive(Debug)]
pub(crate) struct Metrics(Vec<(String, String, f64)>);

impl Metrics {
    pub(crate) fn read(text: &str) -> Self {
        let samples = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        Self(samples.map(sample).collect())
    }

    pub(crate) fn value(&self, name: &str, labels: &str) -> Option<f64> {
        self.0.iter().find(|sample| sample.0 == name && sample.1 == labels).map(|sample| sample.2)
    }

    /// Returns the labels and the value of each sample of a name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().filter(move |sample| sample.0 == name).map(|sample| (&*sample.1, sample.2))
    }
}

fn sample(line: &str) -> (String, String, f64) {
    let (series, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("no sample: {line}"));
    let value = value.parse().unwrap_or_else(|_| panic!("no number: {line}"));
    match series.split_once('{') {
        Some((name, labels)) => (name.to_owned(), labels.strip_suffix('}').unwrap().to_owned(), value),
        None => (series.to_owned(), String::new(), value),
    }
}

/// Returns the value of a label.
pub(crate) fn label<'l>(labels: &'l str, name: &str) -> Option<&'l str> {
    let (_, rest) = labels.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}
