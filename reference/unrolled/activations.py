"""The activation functions of the recurrent operators, built from primitive operators."""

from onnx import defs

TAKES_ALPHA = {"Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh", "HardSigmoid", "Elu"}
TAKES_BETA = {"Affine", "ScaledTanh", "HardSigmoid"}
NAMES = TAKES_ALPHA | {"Relu", "Tanh", "Sigmoid", "Softsign", "Softplus"}


def default_of(name, parameter):
    """'Default values are the same as of corresponding ONNX operators': asked of the operators themselves. Affine and
    ScaledTanh have none; x and tanh(x) are what they are without parameters."""
    if name in ("Affine", "ScaledTanh"):
        return {"Affine": {"alpha": 1.0, "beta": 0.0}, "ScaledTanh": {"alpha": 1.0, "beta": 1.0}}[name][parameter]
    return defs.get_schema(name).attributes[parameter].default_value.f


def resolve(names, alphas, betas):
    """[(name, alpha, beta)]: 'the values are consumed in the order of activation functions'."""
    spelling = {name.lower(): name for name in NAMES}
    alphas, betas = list(alphas), list(betas)
    resolved = []
    for name in (spelling[n.lower()] for n in names):
        alpha = beta = None
        if name in TAKES_ALPHA:
            alpha = alphas.pop(0) if alphas else default_of(name, "alpha")
        if name in TAKES_BETA:
            beta = betas.pop(0) if betas else default_of(name, "beta")
        resolved.append((name, alpha, beta))
    return resolved


def apply(g, activation, x):
    name, alpha, beta = activation
    if name in ("Relu", "Tanh", "Sigmoid", "Softsign"):
        return g.node(name, x)
    if name == "Softplus":  # log(1 + e^x) in a form that does not overflow
        minus_magnitude = g.node("Neg", g.node("Abs", x))
        logarithm = g.node("Log", g.sum(g.number(1), g.node("Exp", minus_magnitude)))
        return g.sum(g.node("Relu", x), logarithm)
    if name in ("LeakyRelu", "Elu"):
        return g.node(name, x, alpha=alpha)
    if name == "HardSigmoid":
        return g.node(name, x, alpha=alpha, beta=beta)
    if name == "ThresholdedRelu":  # x if x >= alpha else 0; the operator of this name leaves out equality
        return g.node("Where", g.node("GreaterOrEqual", x, g.number(alpha)), x, g.number(0))
    if name == "Affine":
        return g.sum(g.node("Mul", g.number(alpha), x), g.number(beta))
    if name == "ScaledTanh":
        return g.node("Mul", g.number(alpha), g.node("Tanh", g.node("Mul", g.number(beta), x)))
    raise ValueError(f"unknown activation function {name}")
