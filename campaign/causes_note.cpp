#include "campaign/causes_note.hpp"

#include "causes/engine_model.hpp"

#include "reports/cause_json.hpp"

namespace cellproof::campaign {

std::string causes_of(const std::vector<Finding>& findings, const KeptAnswers& kept, const EngineUnderTest& engine,
                      const std::function<bool()>& is_over) {
  const std::vector<causes::Answered> answered = kept.answered(findings, engine.declared);
  const causes::EngineModel model = causes::model_of(answered, {.is_over = is_over});
  return model.causes.empty() ? "" : reports::to_json(engine.name, model.causes);
}

}  // namespace cellproof::campaign
